"""Rules for users of acme_store, the library that stands for yours."""

URL = "https://acme.example/rules/{code}-{name}"
