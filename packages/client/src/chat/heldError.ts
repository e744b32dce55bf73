import type { HeldState } from './ports.ts';

/** Refusal to send to a sealed conversation now. Only the user or other devices change that. */
export class HeldError extends Error {
  readonly state: HeldState;
  /** Code as of other refusals: `waiting_for_key`, `question`, `written_before`, or `blocked`. */
  readonly code: HeldState['state'];

  constructor(state: HeldState) {
    super(`The conversation takes no message: ${state.state}.`);
    this.name = 'HeldError';
    this.state = state;
    this.code = state.state;
  }
}

/** Returns true if an error of the server, of the keys, or of a conversation has this code. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
