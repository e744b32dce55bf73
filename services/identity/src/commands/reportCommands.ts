import { parseId, type ReportId } from '@nolo/kit/ids';
import { limits, reportOutcomes, reportStates, type ReportState } from '@nolo/rules';
import type { Report } from '../domain/reportPorts.ts';
import {
  commandLineActor,
  CommandRefusedError,
  requireReason,
  type Command,
  type CommandDependencies,
  type CommandArguments,
} from './commandTools.ts';

function reportLines(report: Report): string[] {
  const { reporterId, reportedId, state, outcome, note, messages, hasPicture, notes } = report;
  const about = reportedId === null ? `${report.kind} ${report.targetId}` : `${report.kind} of ${reportedId}`;
  const head = [report.id, report.at.toISOString(), state, ...(outcome ? [outcome] : []), report.category, about];
  return [
    [...head, `by ${reporterId ?? 'a deleted account'}`].join('  '),
    ...(note === null ? [] : [`  says: ${note}`]),
    ...messages.map(({ senderId, sentAt, text }) => `  ${sentAt}  ${senderId ?? 'gone'}: ${JSON.stringify(text)}`),
    ...(hasPicture ? ['  with a picture, which /admin/reports shows'] : []),
    ...notes.map(({ at, operatorId, text }) => `  ${at.toISOString()}  ${operatorId ?? 'command line'} noted: ${text}`),
  ];
}

/** Changes the state of a report. */
async function goOn(tools: CommandDependencies, words: CommandArguments, state: ReportState): Promise<void> {
  const outcome = reportOutcomes.find((one) => one === words.outcome) ?? null;
  if ((state === 'closed') !== (outcome !== null)) {
    throw new CommandRefusedError(`Closing a report needs an outcome: --outcome ${reportOutcomes.join('|')}.`);
  }
  const change = { state, outcome, note: requireReason(words) };
  const id = parseId<ReportId>(words.account);
  const done = id && (await tools.reports.change(commandLineActor, id, change, tools.clock.now()));
  if (done?.outcome !== 'changed') throw new CommandRefusedError('This report no longer exists.');
  for (const line of reportLines(done.report)) tools.print(line);
}

/** Commands for user reports. */
export const reportCommands: Record<string, Command> = {
  async 'reports list'({ reports, clock, print }, { state: requestedState }) {
    const state = reportStates.find((one) => one === requestedState);
    if (requestedState !== undefined && state === undefined)
      throw new CommandRefusedError(`--state must be one of ${reportStates.join(', ')}.`);
    const page = { state, before: undefined, limit: limits.reportsPerPage };
    const done = await reports.list(commandLineActor, page, clock.now());
    const found = done.outcome === 'listed' ? done.reports : [];
    for (const line of found.flatMap(reportLines)) print(line);
    if (found.length === 0) print('There are no matching reports.');
  },

  'reports take': (tools, words) => goOn(tools, words, 'in_progress'),
  'reports close': (tools, words) => goOn(tools, words, 'closed'),
  'reports reopen': (tools, words) => goOn(tools, words, 'open'),
};
