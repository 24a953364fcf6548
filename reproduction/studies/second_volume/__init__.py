"""Studies of the second volume: related papers, and what goes beyond all of them.

They may use studies of the first volume, and no study of the first volume uses one of them.
"""
