"""The delivery of rows to the CRM: claim, map, send, judge, mark."""
