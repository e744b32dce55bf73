#!/bin/sh
# Backs up Nolo and restores backups. Requires PostgreSQL's client programs, for example in the postgres image.
# docs/operating/backup.md explains how to run it in Compose and in a cluster, and what a backup does not contain.
#
#   nolo-backup.sh backup             creates $BACKUP_DIR/nolo-<time> and keeps the last $KEEP backups (14)
#   nolo-backup.sh verify <folder>    checks that a backup is complete and readable
#   nolo-backup.sh restore <folder>   restores it into an instance without accounts whose services are stopped;
#                                     an interrupted restore starts over
#   nolo-backup.sh check              checks that the data of an instance is consistent
#
#   BACKUP_DATABASE_URL   for backup: a role that can read everything (an administrator, or one with pg_read_all_data)
#   <SERVICE>_DATABASE_URL
#                         for restore and check: the database URL of each service below, as provisioned
#   FILES_DIR             the folder of uploads, which may be the root of a volume
#   BACKUP_DIR, KEEP      for backup
#   END_SESSIONS=yes      for restore: signs everybody out. Needed if messages were sent after the backup: devices
#                         still have those, and a new sign-in makes them fetch everything again.
#   PG_BIN                folder of pg_dump, pg_restore and psql, unless they are in PATH
set -eu
umask 077
[ -z "${PG_BIN:-}" ] || PATH=$PG_BIN:$PATH
# Services in restore order. identity comes last: the presence of its accounts marks a restore as complete.
services='chat files meetings status transcriber social_scheduler billing notifications identity'

say() { printf '%s\n' "$*"; }
refuse() {
  printf '%s\n' "$*" >&2
  exit 1
}
need() {
  eval "value=\${$1:-}"
  [ -n "$value" ] || refuse "$1 is not set."
}

# Splits a database URL so that the password is in the environment and not in the process list.
connect_to() {
  eval "url=\${$1:-}"
  [ -n "$url" ] || refuse "$1 is not set."
  address=$(printf '%s' "$url" | sed 's|^\([a-z]*://[^:/@]*\):[^@]*@|\1@|')
  PGPASSWORD=$(printf '%s' "$url" | sed -n 's|^[a-z]*://[^:/@]*:\([^@]*\)@.*|\1|p' | awk '
    BEGIN { for (i = 1; i < 256; i++) code[sprintf("%02X", i)] = sprintf("%c", i) }
    { rest = $0; plain = ""
      while (match(rest, /%[0-9A-Fa-f][0-9A-Fa-f]/)) {
        plain = plain substr(rest, 1, RSTART - 1) code[toupper(substr(rest, RSTART + 1, 2))]
        rest = substr(rest, RSTART + 3)
      }
      printf "%s%s", plain, rest }')
  export PGPASSWORD
}
connect_as() { connect_to "$(printf '%s' "$1" | tr '[:lower:]' '[:upper:]')_DATABASE_URL"; }
run_sql() { psql --no-psqlrc --quiet --tuples-only --no-align --set ON_ERROR_STOP=1 --dbname "$address" "$@"; }
ask() { run_sql --command "$1"; }

backup() {
  need BACKUP_DIR
  need FILES_DIR
  [ -d "$FILES_DIR" ] || refuse "FILES_DIR is $FILES_DIR, which is no folder."
  name=nolo-$(date -u +%Y%m%dT%H%M%SZ)
  mkdir -p "$BACKUP_DIR"
  # Removes the remains of an interrupted run.
  rm -rf "$BACKUP_DIR"/nolo-*.partial
  partial=$BACKUP_DIR/$name.partial
  mkdir "$partial"

  # One snapshot of all schemas, so that accounts and messages are from the same moment.
  connect_to BACKUP_DATABASE_URL
  pg_dump --format=custom --no-owner --no-privileges --lock-wait-timeout=60s \
    $(printf ' --schema=%s' $services) \
    --file="$partial/database.dump" --dbname "$address"
  pg_restore --list "$partial/database.dump" | grep -q ' TABLE DATA identity users ' ||
    refuse 'The database holds no accounts table: is BACKUP_DATABASE_URL the right one?'

  # Files are archived after the database, because a row is written only after its bytes: every file that a row names
  # exists unless it was deleted in between. tar exits with 1 in that case. The volume root, and anything that its file
  # system stores there, is not part of the backup.
  code=0
  for part in objects uploads; do
    [ ! -d "$FILES_DIR/$part" ] || printf './%s\n' "$part"
  done | tar --create --file "$partial/files.tar" --directory "$FILES_DIR" --files-from - || code=$?
  [ "$code" -le 1 ] || refuse "The files could not be read (tar ended with $code)."

  (cd "$partial" && sha256sum database.dump files.tar >SHA256SUMS)
  sync
  mv "$partial" "$BACKUP_DIR/$name"
  verify "$BACKUP_DIR/$name"

  ls -d "$BACKUP_DIR"/nolo-*Z | sort -r | tail -n +$((${KEEP:-14} + 1)) | while read -r old; do
    rm -rf "$old"
    say "Removed $old."
  done
}

verify() {
  [ -f "$1/SHA256SUMS" ] || refuse "$1 is no backup."
  (cd "$1" && sha256sum --check --status SHA256SUMS) || refuse "$1 is damaged: its checksums do not hold."
  pg_restore --list "$1/database.dump" >/dev/null
  say "$1 is complete: $(du -sh "$1" | cut -f1), $(tar --list --file "$1/files.tar" | grep -c '/objects/.*[^/]$' || true) files."
}

# Restores one schema in a single transaction, so that an interruption leaves the schema unchanged.
#
#   restore_schema <service> <dump> <SQL of the same transaction>
restore_schema() {
  connect_as "$1"
  last=$(
    {
      # Drops what a migration has already created. The backup restores its own objects, and the next migration adds the
      # newer ones. Objects that are part of another object are dropped with it.
      printf '%s\n' "begin; set local client_min_messages = warning; do \$\$ declare thing record; begin loop
        select type, identity into thing
        from pg_depend one, pg_identify_object(one.classid, one.objid, 0)
        where refclassid = 'pg_namespace'::regclass and refobjid = '$1'::regnamespace and deptype = 'n' and not exists (
          select from pg_depend whole
          where whole.classid = one.classid and whole.objid = one.objid and whole.deptype in ('i', 'e'))
        limit 1;
        exit when not found;
        execute format('drop %s %s cascade', thing.type, thing.identity);
      end loop; end \$\$;"
      # A newer pg_restore first sets parameters that servers before PostgreSQL 17 do not know.
      {
        pg_restore --no-owner --no-privileges --schema="$1" --file=- "$2" &&
          printf '%s\n' "$3" 'commit;' "select 'restored';"
      } | LC_ALL=C sed '1,/search_path/{/^SET transaction_timeout/d;}'
    } | run_sql --file=- | tail -n 1
  )
  # A truncated dump contains no commit, and psql reports no error for it.
  [ "$last" = restored ] || refuse "The schema $1 could not be restored. Restore again once the cause is gone."
}

restore() {
  need FILES_DIR
  verify "$1"
  mkdir -p "$FILES_DIR"
  begun=$FILES_DIR/.restoring
  if [ -e "$begun" ]; then
    [ "$(cat "$begun")" = "$(cat "$1/SHA256SUMS")" ] ||
      refuse "A restore of another backup was interrupted here: restore that one, or empty $FILES_DIR."
  else
    [ -z "$(find "$FILES_DIR" -name lost+found -prune -o -type f -print | head -n 1)" ] ||
      refuse "$FILES_DIR is not empty."
  fi
  for service in $services; do
    connect_as "$service"
    [ "$(ask "select count(*) from pg_namespace where nspname = '$service'")" = 1 ] ||
      refuse "There is no schema $service: provision the database first."
  done
  connect_as identity
  accounts=0
  [ -z "$(ask "select to_regclass('identity.users')")" ] || accounts=$(ask 'select count(*) from identity.users')
  if [ "$accounts" != 0 ]; then
    [ -e "$begun" ] || refuse 'There are accounts in this database. Restore into one that is new.'
    # Accounts are restored last, so all data of this backup is already here.
    say 'This backup was restored before. Only the check is left.'
    finish_restore
    return
  fi

  # Nothing has been changed so far. From here on, only this backup can be restored here, repeatedly until it completes.
  cp "$1/SHA256SUMS" "$begun"
  # Extracts by name, because tar would otherwise also give the volume's root the attributes that it had elsewhere.
  parts=$(tar --list --file "$1/files.tar" | sed -n 's|^\(\./[a-z]*\)/.*|\1|p' | sort -u)
  [ -z "$parts" ] || tar --extract --file "$1/files.tar" --directory "$FILES_DIR" $parts
  for service in $services; do
    more=
    if [ "$service" = identity ] && [ "${END_SESSIONS:-}" = yes ]; then
      more='set local search_path = identity; delete from sessions;'
    fi
    restore_schema "$service" "$1/database.dump" "$more"
    say "Restored $service."
  done
  [ "${END_SESSIONS:-}" != yes ] || say 'All sessions are ended.'
  finish_restore
}

# Reports faults that were already in the backup without failing the restore: restoring again would not fix them.
finish_restore() {
  look
  rm "$begun"
  [ "$wrong" = 0 ] || say 'The restore is complete. The backup itself has the faults above.'
}

check() {
  look
  [ "$wrong" = 0 ] || exit 1
}

# Counts the data and sets `wrong` to 1 if it is inconsistent.
look() {
  need FILES_DIR
  wrong=0
  connect_as identity
  say "$(ask 'select count(*) from identity.users') accounts, $(ask 'select count(*) from identity.sessions') sessions"
  connect_as chat
  say "$(ask 'select count(*) from chat.messages') messages in $(ask 'select count(*) from chat.conversations') conversations"
  gaps=$(ask '
    select count(*) from chat.conversations c
    left join (select conversation_id, count(*) as n, max(seq) as last, max(change_seq) as changed
               from chat.messages group by 1) m on m.conversation_id = c.id
    where coalesce(m.last, 0) <> c.last_seq or coalesce(m.n, 0) <> c.last_seq
       or coalesce(m.changed, 0) > c.last_change_seq')
  if [ "$gaps" != 0 ]; then
    say "$gaps conversations have gaps in their numbers."
    wrong=1
  fi
  connect_as files
  # A sent picture is stored beside its name under a different name. A multipart upload is a folder of parts.
  kept="select id || ' ' from files.objects where state = 'ready' union all
    select id || ' ' || case when width is null then '' else '.image' end from files.shared_files where state = 'ready'"
  lost=$(ask "$kept" | {
    lost=0
    while read -r id variant; do
      [ -z "$id" ] && continue
      # Same sharding as in the files service: last two characters of the id, then the two before them.
      end=${id#"${id%??}"}
      before=${id%??}
      [ -e "$FILES_DIR/objects/$end/${before#"${before%??}"}/$id$variant" ] || lost=$((lost + 1))
    done
    say "$lost"
  })
  say "$(ask "select count(*) from ($kept) as kept") files, $lost of them without their bytes"
}

case ${1:-} in
backup) backup ;;
verify) verify "${2:?the folder of a backup}" ;;
restore) restore "${2:?the folder of a backup}" ;;
check) check ;;
*) refuse "usage: $0 backup | verify <folder> | restore <folder> | check" ;;
esac
