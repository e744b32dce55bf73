/** Demand for a video, by one viewer or by all combined. */
export interface VideoDemand {
  /** True if someone views it now, so it must be sent. */
  readonly flows: boolean;
  /** Number of layers, counted from the lowest, that are viewed or will be once someone is ready. */
  readonly layers: number;
}

export const noDemand: VideoDemand = { flows: false, layers: 0 };

/** Combines demands into one that satisfies all. */
export function combineDemands(demands: Iterable<VideoDemand>): VideoDemand {
  let [flows, layers] = [false, 0];
  for (const demand of demands) {
    flows ||= demand.flows;
    layers = Math.max(layers, demand.layers);
  }
  return { flows, layers };
}

export function isSameDemand(one: VideoDemand, other: VideoDemand): boolean {
  return one.flows === other.flows && one.layers === other.layers;
}

/** Parses another node's demand and limits it to the available layers. */
export function parseDemand(wanted: boolean, layers: number | undefined, all: number): VideoDemand {
  return { flows: wanted, layers: Math.min(Math.max(layers ?? 0, wanted ? 1 : 0), all) };
}
