"""The reports, one file each: functions from DataFrame to DataFrame, without session, clock or output."""
