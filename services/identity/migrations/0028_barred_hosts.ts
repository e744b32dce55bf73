import type { Knex } from '@nolo/kit/db';

/** Adds barred link hosts and the version of their list, by which others detect changes. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table barred_hosts (
      host text primary key collate "C" check (length(host) <= 253),
      with_subdomains boolean not null,
      since timestamptz(3) not null
    );
    create table barred_hosts_version (
      is_only boolean primary key default true check (is_only),
      version uuid not null
    );
    insert into barred_hosts_version (version) values (gen_random_uuid());
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table barred_hosts, barred_hosts_version');
}
