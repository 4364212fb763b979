"""Rows that still owe the CRM a call: recording, claiming, marking, counting, redriving. All of it is SQL."""
