/** State shared by all light clients. */
export interface ChaosTraffic {
  /** Requests in flight, by the first gateway used: a silent gateway does not hold up the others. */
  readonly inFlight: number[];
  /**
   * Limit in flight at a gateway; above it no client begins anything new, because more would only wait for each other.
   */
  readonly maxInFlight: number;
  /** Unsuccessful answers by status; 0 if there was no answer. */
  readonly refusals: Record<string, number>;
  breaks: number;
}
