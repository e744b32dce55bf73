import { actLine } from '../domain/auditChain.ts';
import { acting, CommandRefused, type Command } from './commandTools.ts';

/** What operators did. */
export const auditCommands: Record<string, Command> = {
  async 'audit verify'({ operators, clock, print }, { head }) {
    if (head !== undefined && !/^[0-9a-f]{64}$/i.test(head))
      throw new CommandRefused('--head has 64 hexadecimal digits.');
    const done = await operators.verify(acting, clock.now(), head ? Buffer.from(head, 'hex') : undefined);
    if (done.outcome !== 'verified') throw new CommandRefused('The audit could not be read.');
    const { entries, head: last, brokenAt } = done.verified;
    if (brokenAt !== undefined) {
      throw new CommandRefused(`The audit was changed: entry ${brokenAt} is missing or another than it was.`);
    }
    if (!done.knowsHead) throw new CommandRefused(`The audit was cut off: ${head ?? ''} is not in it any more.`);
    print(`${entries} entries, all as they were written${last ? `; the last is ${last.toString('hex')}` : ''}.`);
  },

  async 'audit export'({ operators, print }) {
    for await (const act of operators.everyAct()) print(actLine(act));
  },
};
