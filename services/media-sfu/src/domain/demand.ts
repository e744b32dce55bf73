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

/** Parses another node's demand. Earlier versions send no layers; they get all of what they view. */
export function parseDemand(wanted: boolean, layers: number | undefined, all: number): VideoDemand {
  const named = layers !== undefined && Number.isInteger(layers) ? Math.min(Math.max(layers, 0), all) : 0;
  return { flows: wanted, layers: wanted && named === 0 ? all : named };
}
