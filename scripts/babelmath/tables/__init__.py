"""Tables: functions from records to frames, and renderers from frames to files."""
