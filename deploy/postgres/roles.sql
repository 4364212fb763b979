-- Roles of the database, made once as its superuser. psql variables: owner_password, password.
-- clinic_owner runs the migrations; clinic, which the site and the workers use, reads and writes rows and nothing else.

CREATE ROLE clinic_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE clinic LOGIN PASSWORD :'password';
CREATE DATABASE clinic OWNER clinic_owner;
\connect clinic

REVOKE ALL ON DATABASE clinic FROM PUBLIC;
GRANT CONNECT ON DATABASE clinic TO clinic;
ALTER SCHEMA public OWNER TO clinic_owner;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO clinic;
ALTER DEFAULT PRIVILEGES FOR ROLE clinic_owner IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO clinic;
ALTER DEFAULT PRIVILEGES FOR ROLE clinic_owner IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO clinic;
