"""The reports, one file each: pure functions from DataFrame to DataFrame. They use no session,
clock or output.
"""
