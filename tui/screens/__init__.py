"""What can fill the terminal."""
