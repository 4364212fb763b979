"""What several rooms' tests share: servers, sample enquiries, looks into the database, processes."""
