import { formatBarredHost, barredHostLimits, parseBarrableHost } from '@nolo/rules';
import { isPublicSuffix, describePublicSuffix } from '../domain/publicEndings.ts';
import {
  commandLineActor,
  CommandRefusedError,
  requireReason,
  type Command,
  type CommandArguments,
} from './commandTools.ts';

/** Splits names at spaces, commas, or line breaks, as in a file. */
const wordsOf = ({ account = '' }: CommandArguments): string[] => account.split(/[\s,]+/).filter((word) => word !== '');

function readHosts(words: CommandArguments): string[] {
  const named = wordsOf(words);
  if (named.length === 0) throw new CommandRefusedError('Name at least one host.');
  return named.map((word) => {
    const host = parseBarrableHost(word);
    const ending = host ?? word.toLowerCase();
    if (isPublicSuffix(ending)) throw new CommandRefusedError(describePublicSuffix(ending));
    if (host === undefined) throw new CommandRefusedError(`${word} is not a full host name.`);
    return host;
  });
}

/** Commands for barred link hosts. */
export const barredHostCommands: Record<string, Command> = {
  async 'hosts list'({ barredHosts, clock, print }) {
    let after: string | undefined;
    do {
      const page = { query: '', after, limit: barredHostLimits.perPage };
      const done = await barredHosts.list(commandLineActor, page, clock.now());
      const hosts = done.outcome === 'listed' ? done.hosts : [];
      for (const { host, withSubdomains, since } of hosts) {
        print(`${formatBarredHost(host, withSubdomains)}  since ${since.toISOString()}`);
      }
      if (after === undefined && hosts.length === 0) print('No host is blocked.');
      after = hosts.length === page.limit ? hosts.at(-1)?.host : undefined;
    } while (after !== undefined);
  },

  async 'hosts bar'({ barredHosts, clock, print }, words) {
    const [hosts, reason] = [readHosts(words), requireReason(words)];
    for (let at = 0; at < hosts.length; at += barredHostLimits.atOnce) {
      const some = hosts.slice(at, at + barredHostLimits.atOnce);
      const change = { hosts: some, withSubdomains: words.exact !== true, reason };
      const done = await barredHosts.bar(commandLineActor, change, clock.now());
      if (done.outcome !== 'barred')
        throw new CommandRefusedError(`You can block at most ${barredHostLimits.hosts} hosts.`);
      for (const { host, withSubdomains } of done.hosts)
        print(`${formatBarredHost(host, withSubdomains)} is now blocked.`);
      if (done.hosts.length < some.length) print(`${some.length - done.hosts.length} were already blocked.`);
    }
  },

  async 'hosts unbar'({ barredHosts, clock, print }, words) {
    const [hosts, reason] = [readHosts(words), requireReason(words)];
    for (const host of hosts) {
      const done = await barredHosts.unbar(commandLineActor, { host, reason }, clock.now());
      if (done.outcome !== 'unbarred') throw new CommandRefusedError(`${host} is not blocked.`);
      print(`${host} is no longer blocked.`);
    }
  },
};
