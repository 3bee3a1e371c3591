"""What a program uses of libraries that changed: by which name, for which versions, under which guards."""
