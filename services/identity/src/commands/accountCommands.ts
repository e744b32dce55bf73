import type { AccountFacts } from '../domain/operatorPorts.ts';
import {
  findCommandAccount,
  commandLineActor,
  CommandRefusedError,
  describeAccount,
  parseSuspensionEnd,
  requireReason,
  type Command,
  type CommandDependencies,
} from './commandTools.ts';

const outcomeWords: Record<string, string> = {
  missing: 'This account no longer exists.',
  is_operator: 'This account is an operator. Remove the operator first.',
  not_suspended: 'This account is not suspended.',
  open: 'This account is not closed.',
};

type Outcome = { outcome: string; account?: AccountFacts; endedTokenHashes?: Buffer[] };

/** Reports the outcome. */
async function finish({ print, forgetSessions }: CommandDependencies, done: Outcome): Promise<void> {
  const refused = outcomeWords[done.outcome];
  if (refused !== undefined) throw new CommandRefusedError(refused);
  await forgetSessions(done.endedTokenHashes ?? []);
  if (done.account) print(describeAccount(done.account));
}

/** Commands for operators and their actions on accounts. */
export const accountCommands: Record<string, Command> = {
  async 'operators list'({ operators, print }) {
    const all = await operators.list();
    for (const { userId, since } of all) print(`${userId}  since ${since.toISOString()}`);
    if (all.length === 0) print('There are no operators.');
  },

  async 'operators add'(tools, words) {
    const { id } = await findCommandAccount(tools, words);
    const outcome = await tools.operators.add(id, tools.clock.now());
    if (outcome === 'missing') throw new CommandRefusedError('This account no longer exists.');
    tools.print(outcome === 'added' ? `${id} is now an operator.` : `${id} is already an operator.`);
  },

  async 'operators remove'(tools, words) {
    const { id } = await findCommandAccount(tools, words);
    const isRemoved = await tools.operators.remove(id, tools.clock.now());
    tools.print(isRemoved ? `${id} is no longer an operator.` : `${id} is not an operator.`);
  },

  async 'users find'(tools, words) {
    tools.print(describeAccount(await findCommandAccount(tools, words)));
  },

  async 'users suspend'(tools, words) {
    const reason = requireReason(words);
    const since = tools.clock.now();
    const until = parseSuspensionEnd(words, since);
    const { id } = await findCommandAccount(tools, words);
    await finish(tools, await tools.operators.suspend(commandLineActor, id, { reason, since, until }));
  },

  async 'users lift'(tools, words) {
    const reason = requireReason(words);
    const { id } = await findCommandAccount(tools, words);
    await finish(tools, await tools.operators.lift(commandLineActor, id, reason, tools.clock.now()));
  },

  async 'users signout'(tools, words) {
    const reason = requireReason(words);
    const { id } = await findCommandAccount(tools, words);
    await finish(tools, await tools.operators.signOut(commandLineActor, id, reason, tools.clock.now()));
  },

  async 'users reopen'(tools, words) {
    const reason = requireReason(words);
    const { id } = await findCommandAccount(tools, words);
    await finish(tools, await tools.operators.reopen(commandLineActor, id, reason, tools.clock.now()));
  },

  async 'users delete'(tools, words) {
    const reason = requireReason(words);
    const { id } = await findCommandAccount(tools, words);
    const now = tools.clock.now();
    const atOnce = words.now === true;
    const done = await tools.operators.erase(commandLineActor, id, { reason, atOnce, now });
    await finish(tools, done);
    if (done.outcome === 'erased' && done.phoneNumber) await tools.forgetNumber(done.phoneNumber);
    const { deletesAt } = atOnce ? { deletesAt: null } : await findCommandAccount(tools, { ...words, account: id });
    tools.print(
      atOnce ? `${id} was deleted.` : `${id} is closed and will be deleted at ${deletesAt?.toISOString() ?? 'once'}.`,
    );
  },
};
