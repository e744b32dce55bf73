import { formatAuditEntry } from '../domain/auditChain.ts';
import { commandLineActor, CommandRefusedError, type Command } from './commandTools.ts';

/** Commands for the operator audit. */
export const auditCommands: Record<string, Command> = {
  async 'audit verify'({ operators, clock, print }, { head }) {
    if (head !== undefined && !/^[0-9a-f]{64}$/i.test(head))
      throw new CommandRefusedError('--head must have 64 hexadecimal digits.');
    const done = await operators.verify(commandLineActor, clock.now(), head ? Buffer.from(head, 'hex') : undefined);
    if (done.outcome !== 'verified') throw new CommandRefusedError('The audit log could not be read.');
    const { entries, head: last, brokenAt } = done.verified;
    if (brokenAt !== undefined) {
      throw new CommandRefusedError(`The audit log was changed: entry ${brokenAt} is missing or was changed.`);
    }
    if (!done.knowsHead) throw new CommandRefusedError(`The audit log was cut off: ${head ?? ''} is no longer in it.`);
    print(`${entries} entries, all unchanged${last ? `; the last is ${last.toString('hex')}` : ''}.`);
  },

  async 'audit export'({ operators, print }) {
    for await (const act of operators.everyAct()) print(formatAuditEntry(act));
  },
};
