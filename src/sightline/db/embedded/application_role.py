"""The role that the service uses: the owner of its database and of everything in it, and no superuser.

In a cluster of an earlier version the superuser owns everything. The script transfers it to the application's role in
one transaction, so the role exists only if the transfer is complete. Running it again changes nothing.
"""

from .postmaster import APPLICATION_ROLE, DATABASE

# The identifiers of objects that initdb and extensions have not made begin here.
_FIRST_OWN_OID = 16_384
_OWN = f"""owner = current_user::regrole AND oid >= {_FIRST_OWN_OID}
             AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = o.oid AND d.deptype = 'e')"""

SCRIPT = f"""
SET LOCAL lock_timeout = '10s';
DO $$
DECLARE statement text;
BEGIN
    IF to_regrole('{APPLICATION_ROLE}') IS NULL THEN
        CREATE ROLE {APPLICATION_ROLE} LOGIN;
    END IF;
    IF (SELECT datdba FROM pg_database WHERE datname = '{DATABASE}') <> '{APPLICATION_ROLE}'::regrole THEN
        ALTER DATABASE {DATABASE} OWNER TO {APPLICATION_ROLE};
    END IF;
    FOR statement IN
        SELECT format('ALTER SCHEMA %I', nspname)
            FROM (SELECT oid, nspowner AS owner, nspname FROM pg_namespace) o WHERE {_OWN} AND nspname NOT LIKE 'pg\\_%'
        -- ALTER TABLE works for views and sequences, too. A sequence of a column follows its table.
        UNION ALL SELECT format('ALTER TABLE %s', oid::regclass)
            FROM (SELECT oid, relowner AS owner, relkind FROM pg_class) o
            WHERE {_OWN} AND relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND (relkind <> 'S' OR NOT EXISTS (
                SELECT FROM pg_depend d WHERE d.objid = o.oid AND d.deptype IN ('a', 'i') AND d.refobjsubid > 0))
        UNION ALL SELECT format('ALTER ROUTINE %s', oid::regprocedure)
            FROM (SELECT oid, proowner AS owner FROM pg_proc) o WHERE {_OWN}
        UNION ALL SELECT format('ALTER TYPE %s', oid::regtype)
            FROM (SELECT t.oid, typowner AS owner FROM pg_type t LEFT JOIN pg_class c ON c.oid = typrelid
                  WHERE typtype IN ('e', 'd', 'r') OR (typtype = 'c' AND c.relkind = 'c')) o WHERE {_OWN}
    LOOP
        EXECUTE statement || ' OWNER TO {APPLICATION_ROLE}';
    END LOOP;
END $$;
"""
