"""The model of a program: what a file says, in a form that rules and analyses can ask (see README.md here)."""
