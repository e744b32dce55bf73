/** What is wanted of a video, by one who looks or by all of them together. */
export interface Demand {
  /** Whether somebody looks now, so that it has to come. */
  readonly flows: boolean;
  /** How many of its layers, counted from the lowest, are looked at or will be as soon as somebody is ready. */
  readonly layers: number;
}

export const noDemand: Demand = { flows: false, layers: 0 };

/** What serves everybody. */
export function totalOf(demands: Iterable<Demand>): Demand {
  let [flows, layers] = [false, 0];
  for (const demand of demands) {
    flows ||= demand.flows;
    layers = Math.max(layers, demand.layers);
  }
  return { flows, layers };
}

export function isSame(one: Demand, other: Demand): boolean {
  return one.flows === other.flows && one.layers === other.layers;
}

/** Reads what another node says, within the layers that there are. */
export function demandOf(wanted: boolean, layers: number | undefined, all: number): Demand {
  return { flows: wanted, layers: Math.min(Math.max(layers ?? 0, wanted ? 1 : 0), all) };
}
