import type { FaultStack, FaultStackOptions } from '../../support/stacks/faultStack.ts';
import { createClockOffsetOptions } from '../../support/stacks/servicePairs.ts';

/** Small mistake that a developer could make, and the violation that the checker must report. */
export interface PlantedBug {
  what: string;
  sign: RegExp;
  /** SQL that introduces the bug, with the role of chat: a trigger named `bug`, or a function with that name. */
  sql?: string;
  /** Module that gateways load before their own code. */
  preload?: string;
}

/** Builds a function named `bug` and a trigger that calls it. */
const trigger = (when: string, body: string) => `
  create function bug() returns trigger language plpgsql as $$ begin ${body} end $$;
  create trigger bug ${when} for each row execute function bug();`;

/** Builds a trigger on the outbox rows of new messages. */
const onOutbox = (share: number, change: string) =>
  trigger(
    'before insert on outbox',
    `if new.payload->'fact'->>'type' = 'new_message' and random() < ${share} then ${change} end if; return new;`,
  );

/** Bugs that are too small to notice when trying the app for a minute. */
export const bugs: Readonly<Record<string, PlantedBug>> = {
  skippedRow: {
    what: 'the relay skips every hundredth message',
    sql: onOutbox(0.01, 'return null;'),
    sign: /not told live|catch up in calm/,
  },
  lateFrame: {
    what: 'every hundredth message is delivered three seconds late',
    sql: onOutbox(0.01, "new.not_before := clock_timestamp() + interval '3 seconds';"),
    sign: /not told live|catch up in calm/,
  },
  otherSeq: {
    what: 'every fiftieth message is delivered with another seq',
    preload: 'wrongFrames.mjs?seq',
    sign: /which was at seq \d+ before|where .* was before/,
  },
  skippedSeq: {
    what: 'every fiftieth seq is skipped',
    sql: trigger(
      'before update on conversations',
      'if new.last_seq > old.last_seq and random() < 0.02 then new.last_seq := new.last_seq + 1; end if; return new;',
    ),
    sign: /stores seq \d+ at place|showed seq \d+ right after/,
  },
  lostMessage: {
    what: 'every hundredth acknowledged message is rolled back',
    sql: trigger(
      'after insert on messages',
      `if random() < 0.01 then
        begin
          delete from messages where conversation_id = new.conversation_id and seq = new.seq - 3;
        exception when others then null;
        end;
      end if; return null;`,
    ),
    sign: /is lost|never told seq|may not change its own message|answered with 404/,
  },
  lostEdit: {
    what: 'every fifth edit is undone by the next message',
    sql: `
      create table bug_edits (id uuid, conversation_id uuid, content text);
      ${trigger(
        'after insert or update on messages',
        `if tg_op = 'INSERT' then
          update messages m set content = e.content from bug_edits e
          where m.id = e.id and m.conversation_id = new.conversation_id and e.conversation_id = new.conversation_id;
          delete from bug_edits where conversation_id = new.conversation_id;
        elsif pg_trigger_depth() = 1 and new.content <> old.content and new.content <> '' and random() < 0.2 then
          insert into bug_edits values (old.id, old.conversation_id, old.content);
        end if; return null;`,
      )}`,
    sign: /acknowledged last|another text at the same changeSeq|another text than the server|the last state/,
  },
  receiptsBack: {
    what: 'every fifth read cursor that moves goes back by one instead',
    sql: trigger(
      'before update on members',
      `if new.shared_read_seq > old.shared_read_seq and random() < 0.2 then
        new.read_seq := greatest(0, old.read_seq - 1);
        new.shared_read_seq := greatest(0, old.shared_read_seq - 1);
      end if; return new;`,
    ),
    sign: /was told that .* and then|and was answered|ends having read/,
  },
  notifiedOutsiders: {
    what: 'every fifth message of a conversation is also delivered to former members',
    sql: onOutbox(
      0.2,
      `if new.payload->'audience' is not null then
        new.payload := (new.payload - 'audience') || jsonb_build_object('to', (
          select jsonb_agg(user_id) from members
          where conversation_id = (new.payload->'audience'->>'conversationId')::uuid));
      end if;`,
    ),
    sign: /is out of the group, and was told/,
  },
  wrongConversation: {
    what: 'every hundredth message is delivered as part of another conversation',
    preload: 'wrongFrames.mjs?conversation',
    sign: /which was at seq \d+ before|where .* was before|nobody made of it/,
  },
  deafSocket: {
    what: 'every later socket of a session goes silent after two seconds',
    preload: 'deafSocket.mjs',
    sign: /in calm/,
  },
};

/** Returns a stack whose gateways have the bug, if it is a gateway bug. */
export function createBuggyStackOptions({ preload }: Pick<PlantedBug, 'preload'>): FaultStackOptions {
  const gateway =
    preload === undefined ? {} : { env: { NODE_OPTIONS: `--import=${new URL(preload, import.meta.url).href}` } };
  return {
    hasProxies: true,
    pair: (service) => (service === 'gateway' ? [gateway, gateway] : [{}, createClockOffsetOptions(40)]),
  };
}

export async function installBug(stack: FaultStack, { sql }: PlantedBug): Promise<void> {
  if (sql !== undefined) await stack.sql('chat', sql);
}

export async function removeBug(stack: FaultStack): Promise<void> {
  await stack.sql('chat', 'drop function if exists bug cascade; drop table if exists bug_edits;');
}
