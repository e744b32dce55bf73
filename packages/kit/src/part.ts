import { build } from './build.ts';
import type { Clock } from './clock.ts';

/** `nolo.kit.v1.PartService`, which stands in the protos and is bound to this by the service. */
export interface PartFacts {
  version: string;
  commit: string | undefined;
  since: Date;
  settings: { variable: string; value: string }[];
}

/** What a part says of itself, for `rpcService(PartServiceService, …)` and for the gateway, which is a part too. */
export function createPart({ config, clock }: { config: object; clock: Clock }) {
  const facts: PartFacts = { ...build, since: clock.now(), settings: settingsOf(config) };
  return { describePart: async (): Promise<PartFacts> => facts };
}

/** Numbers and switches alone: among texts are secrets, and addresses of others. */
export function settingsOf(config: object): PartFacts['settings'] {
  return Object.entries(config)
    .filter(([name, value]) => /^[A-Z0-9_]+$/.test(name) && ['number', 'boolean'].includes(typeof value))
    .map(([variable, value]) => ({ variable, value: String(value) }))
    .toSorted((one, other) => (one.variable < other.variable ? -1 : 1));
}
