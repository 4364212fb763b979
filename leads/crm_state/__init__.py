"""What all workers share of the CRM: the access token, and the daily check of its fields."""
