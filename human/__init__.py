"""Everything that a person's seat needs: keys, the window, game sessions and studies."""
