import type { Knex } from '@nolo/kit/db';
import { buildOrderedIdSql } from '@nolo/kit/outbox';

const kinds = `'signed_in', 'phone_added', 'phone_replaced', 'phone_removed', 'provider_added', 'provider_removed',
  'token_created', 'passkey_added', 'passkey_removed', 'taken_back', 'undone', 'factor_added', 'factor_removed',
  'recovery_renewed', 'lock_on', 'lock_off', 'account_asked', 'account_refused', 'account_given', 'account_closed',
  'account_kept', 'email_added', 'email_replaced', 'email_removed'`;
const newKinds = `'device_added', 'identity_replaced', 'recovery_set', 'recovery_replaced'`;

const createTables = (db: Knex): Promise<unknown> =>
  db.raw(`
    create table devices (
      -- Chosen by the client. Other services name devices by it, so it is unique in the installation.
      id uuid primary key,
      user_id uuid not null references users (id) on delete cascade,
      -- Null for suspended and removed devices, and for tokens.
      session_id uuid unique references sessions (id) on delete set null,
      -- Chain of lists that the device is in.
      chain smallint not null,
      -- 0 browser, 1 program with a screen of its own, 2 access token.
      kind smallint not null check (kind between 0 and 2),
      sign_key bytea not null,
      -- User agent of its latest session.
      name text not null,
      created_at timestamptz(3) not null,
      suspended_at timestamptz(3),
      -- True if it is suspended because its session expired.
      session_expired boolean not null default false,
      removed_at timestamptz(3),
      unique (user_id, sign_key)
    );

    create table device_lists (
      user_id uuid not null references users (id) on delete cascade,
      -- Counts the identities of the account.
      chain smallint not null,
      n int not null,
      body bytea not null,
      signature bytea not null,
      hash bytea not null,
      -- The signing device, or zeros for the recovery key.
      signer uuid not null,
      -- True if it added a device.
      adds boolean not null,
      created_at timestamptz(3) not null,
      primary key (user_id, chain, n)
    );

    -- List that waits until its epoch of the vault is accepted. Nothing else changes the lists meanwhile.
    create table pending_lists (
      user_id uuid primary key references users (id) on delete cascade,
      -- Names this attempt: the same list may come again with another epoch.
      id uuid not null,
      -- Session of the request, and its device.
      session_id uuid not null,
      own_device uuid,
      replaces boolean not null,
      body bytea not null,
      signature bytea not null,
      hash bytea not null,
      -- Hash of the first list of its chain.
      identity bytea not null,
      box_key_bodies bytea[] not null,
      box_key_signatures bytea[] not null,
      -- Epoch as the client sent it.
      vault bytea not null,
      -- Device that commits the epoch.
      committer uuid not null,
      -- Devices of the list that were suspended when it was received.
      suspended uuid[] not null,
      received_at timestamptz(3) not null
    );
    create index pending_lists_received on pending_lists (received_at);

    create table box_keys (
      device_id uuid primary key references devices (id) on delete cascade,
      number bigint not null,
      body bytea not null,
      signature bytea not null,
      at timestamptz(3) not null
    );

    create table passkey_seeds (
      passkey_id uuid primary key references user_passkeys (id) on delete cascade,
      user_id uuid not null references users (id) on delete cascade,
      wrapped bytea not null,
      at timestamptz(3) not null
    );
    create index passkey_seeds_user on passkey_seeds (user_id);

    create table device_links (
      id uuid primary key,
      user_id uuid not null references users (id) on delete cascade,
      -- Session of the new device.
      session_id uuid not null references sessions (id) on delete cascade,
      -- Session of the old device that sent the challenge or the answer.
      old_session_id uuid references sessions (id) on delete cascade,
      state text not null check (state in ('offered', 'answered', 'committed', 'challenged', 'opened',
        'confirmed')),
      -- Known from the offer.
      device_id uuid unique,
      commitment bytea,
      offer bytea,
      new_random bytea,
      old_random bytea,
      head bytea,
      answer bytea,
      done bytea,
      -- When a list with the device was accepted.
      linked_at timestamptz(3),
      expires_at timestamptz(3) not null
    );
    create index device_links_user on device_links (user_id);
    create index device_links_session on device_links (session_id);
    create index device_links_old_session on device_links (old_session_id);
    create index device_links_expiry on device_links (expires_at);
  `);

/** Creates the triggers that suspend devices and notify of it. */
const createTriggers = (db: Knex): Promise<unknown> =>
  db.raw(`
    -- Sends the number of the newest list to the account's own clients and to other services.
    create function send_devices_changed(of_user uuid) returns void language sql as $$
      with change as (
        select jsonb_build_object('userId', of_user, 'chain', chain, 'n', n) as data
        from device_lists where user_id = of_user order by chain desc, n desc limit 1
      ), event as (
        insert into events (id, subject, key, payload)
        select ${buildOrderedIdSql('0')}, 'event.identity.devices_changed', of_user::text, data from change
      )
      insert into outbox (id, subject, payload)
      select ${buildOrderedIdSql('0')}, 'deliver', jsonb_build_object(
        'recipients', jsonb_build_array(of_user),
        'frame', jsonb_build_object('type', 'devices_changed', 'data', data)) from change
    $$;

    create function suspend_device() returns trigger language plpgsql as $$
    begin
      if old.session_id is not null and new.session_id is null and new.removed_at is null then
        new.suspended_at := coalesce(new.suspended_at, now());
      end if;
      return new;
    end $$;
    create trigger suspend_device before update of session_id on devices
      for each row execute function suspend_device();

    create function send_device_suspension() returns trigger language plpgsql as $$
    begin
      perform send_devices_changed(new.user_id);
      return null;
    end $$;
    create trigger send_device_suspension after update on devices
      for each row when (old.suspended_at is distinct from new.suspended_at and new.removed_at is null)
      execute function send_device_suspension();
  `);

/**
 * Adds devices with keys (docs/encryption.md, section 3). Sessions end in many places, so a trigger suspends their
 * devices, and another one notifies clients and services of that.
 */
export async function up(db: Knex): Promise<void> {
  await createTables(db);
  await createTriggers(db);
  await db.raw(`
    -- They take all that the ones before took, so there is nothing to validate.
    alter table security_notices drop constraint security_notices_kind_check;
    alter table security_notices add constraint security_notices_kind_check
      check (kind in (${kinds}, ${newKinds})) not valid;
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    delete from security_notices where kind in (${newKinds});
    alter table security_notices drop constraint security_notices_kind_check;
    alter table security_notices add constraint security_notices_kind_check check (kind in (${kinds}));
    drop table pending_lists, device_links, passkey_seeds, box_keys, device_lists, devices;
    drop function send_device_suspension();
    drop function suspend_device();
    drop function send_devices_changed(uuid);
  `);
}
