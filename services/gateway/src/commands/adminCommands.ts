import { parseArgs } from 'node:util';
import { isAppError } from '@nolo/kit/errors';
import { isId } from '@nolo/kit/ids';
import type { Clients, ServiceAdminClient } from '../clients.ts';

const adminCommandUsage = `node services/gateway/src/admin.ts (npm run admin -- on this machine)

  state
  jobs list
  jobs show <service> <kind> <queue>
  jobs retry <service> <kind> <queue> <id>
  jobs discard <service> <kind> <queue> <id> --reason <text>
  rooms list
  rooms end <room> --reason <text>
  groups owner <group>

"jobs list" shows each service, kind (job, event or message) and queue; "reports list" shows groups by their id. The
audit log records what you retry, discard, end and look up, as on the page. Discarded work never runs and cannot be
restored.`;

/** Invalid input or an impossible request; the message is shown as it is. */
class AdminCommandRefusedError extends Error {}

export interface AdminTools {
  readonly serviceAdmins: Readonly<
    Record<
      string,
      Pick<ServiceAdminClient, 'describeService' | 'countWork' | 'listSetAside' | 'retrySetAside' | 'discardSetAside'>
    >
  >;
  readonly operators: Pick<Clients['operators'], 'recordAct'>;
  readonly roomAdmin: Pick<Clients['roomAdmin'], 'listLiveRooms' | 'endLiveRoom'>;
  readonly groups: Pick<Clients['groups'], 'listOwners'>;
  /** Credentials of this command. */
  readonly caller: { readonly actorId: string; readonly sessionId: string };
  readonly print: (line: string) => void;
}

interface Typed {
  readonly words: readonly string[];
  readonly reason: string | undefined;
}
type Command = (tools: AdminTools, typed: Typed) => Promise<void>;

const timeoutMs = 3_000;
const text = (value: Date | undefined): string => value?.toISOString() ?? 'unknown';

function queueOf({ serviceAdmins }: AdminTools, [name = '', kind = '', queue = '']: readonly string[]) {
  const part = Object.hasOwn(serviceAdmins, name) ? serviceAdmins[name] : undefined;
  if (part && kind !== '' && queue !== '') return { name, part, kind, queue };
  throw new AdminCommandRefusedError(
    `Specify <service> <kind> <queue>. Services are ${Object.keys(serviceAdmins).join(', ')}.`,
  );
}

/** Yields each page of a list in turn. */
async function everyPage(page: (cursor: string | undefined) => Promise<{ nextCursor?: string | undefined }>) {
  let cursor: string | undefined;
  do cursor = (await page(cursor)).nextCursor;
  while (cursor !== undefined);
}

const commands: Readonly<Record<string, Command>> = {
  async state({ serviceAdmins, print }) {
    for (const [name, part] of Object.entries(serviceAdmins)) {
      const reply = await part.describeService({}, { timeoutMs }).catch(() => undefined);
      if (!reply) {
        print(`${name}  does not answer`);
        continue;
      }
      const { version = '', commit, since, settings } = reply;
      const build = [name, `version ${version}`, ...(commit === undefined ? [] : [`commit ${commit}`])];
      print([...build, `since ${text(since)}`].join('  '));
      for (const { variable = '', value = '' } of settings) print(`  ${variable}=${value}`);
    }
  },

  async 'jobs list'({ serviceAdmins, caller, print }) {
    let count = 0;
    for (const [name, part] of Object.entries(serviceAdmins)) {
      const counted = await part.countWork(caller, { timeoutMs }).catch((error: unknown) => {
        if (isAppError(error) && error.kind === 'forbidden') throw error;
        print(`${name}  does not answer`);
      });
      for (const { kind = '', queue = '', waiting = 0, late = 0, active = 0, setAside = 0 } of counted?.queues ?? []) {
        count += 1;
        print(`${name} ${kind} ${queue}  ${waiting} waiting, ${late} late, ${active} active, ${setAside} quarantined`);
      }
    }
    if (count === 0) print('No work is pending.');
  },

  async 'jobs show'(tools, { words }) {
    const { part, kind, queue } = queueOf(tools, words);
    let count = 0;
    await everyPage(async (cursor) => {
      const page = await part.listSetAside({ ...tools.caller, kind, queue, cursor }, { timeoutMs });
      for (const { id = '', attempts = 0, failure = 'see the log', at } of page.items) {
        count += 1;
        tools.print(`${id}  ${attempts} attempts  ${failure}  ${text(at)}`);
      }
      return page;
    });
    if (count === 0) tools.print('Nothing is quarantined there.');
  },

  async 'jobs retry'(tools, { words }) {
    const { name, part, kind, queue } = queueOf(tools, words);
    const id = words[3] ?? '';
    // The action is recorded before it runs, as in the web app.
    const details = { part: name, kind, queue, work: id };
    await tools.operators.recordAct({ ...tools.caller, action: 'work_retried', details });
    await part.retrySetAside({ ...tools.caller, kind, queue, id });
    tools.print(`${id} will be retried.`);
  },

  async 'jobs discard'(tools, { words, reason = '' }) {
    const { name, part, kind, queue } = queueOf(tools, words);
    const id = words[3] ?? '';
    if (reason.trim() === '')
      throw new AdminCommandRefusedError('Give a reason: --reason "...". This cannot be undone.');
    const details = { part: name, kind, queue, work: id };
    await tools.operators.recordAct({ ...tools.caller, action: 'work_discarded', reason, details });
    await part.discardSetAside({ ...tools.caller, kind, queue, id });
    tools.print(`${id} was discarded.`);
  },

  async 'rooms list'({ roomAdmin, caller, print }) {
    let count = 0;
    await everyPage(async (cursor) => {
      const page = await roomAdmin.listLiveRooms({ ...caller, cursor });
      for (const { id = '', kind = '', hostId = '', people = 0, since, nodeIds } of page.rooms) {
        count += 1;
        print(
          `${id}  ${kind} of ${hostId}  ${people} people  since ${text(since)}  on ${nodeIds.join(', ') || 'none'}`,
        );
      }
      return page;
    });
    if (count === 0) print('No rooms are in use.');
  },

  async 'rooms end'({ operators, roomAdmin, caller, print }, { words: [room = ''], reason = '' }) {
    if (reason.trim() === '') throw new AdminCommandRefusedError('Give a reason: --reason "...".');
    await operators.recordAct({ ...caller, action: 'room_ended', reason, details: { room } });
    await roomAdmin.endLiveRoom({ ...caller, roomId: room });
    print(`${room} was ended.`);
  },

  async 'groups owner'({ operators, groups, caller, print }, { words: [group = ''] }) {
    if (!isId(group)) throw new AdminCommandRefusedError('Specify a group by its id, as shown by "reports list".');
    await operators.recordAct({ ...caller, action: 'group_looked_up', details: { group } });
    const { owners } = await groups.listOwners({ ...caller, conversationIds: [group] });
    const [owner] = owners;
    print(owner ? `${group} is owned by ${owner.userId ?? ''}.` : `${group} is no longer a group.`);
  },
};

/** Runs a command. @throws AdminCommandRefusedError, AppError with a readable message */
export async function runAdminCommand(tools: AdminTools, argv: readonly string[]): Promise<void> {
  const { command, typed } = readTyped(argv);
  await command(tools, typed);
}

function readTyped(argv: readonly string[]): { command: Command; typed: Typed } {
  try {
    const options = { reason: { type: 'string' } } as const;
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true });
    const [topic = '', action = topic === 'state' ? '' : 'list', ...words] = positionals;
    const command = commands[`${topic} ${action}`.trim()];
    if (command) return { command, typed: { words, reason: values.reason } };
  } catch {
    // The command is unknown; the usage is shown below.
  }
  throw new AdminCommandRefusedError(adminCommandUsage);
}
