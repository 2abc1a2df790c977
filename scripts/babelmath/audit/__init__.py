"""The audit: what the papers print, against their own arithmetic."""
