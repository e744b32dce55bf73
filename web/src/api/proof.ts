import { createStore } from 'zustand/vanilla';
import { ApiError } from '../api/request.ts';

/*
 * Fresh proof (decision 38): the server refuses actions that could take over an account with `proof_required`. The
 * dialog then asks the user in place, and the action continues.
 */

interface ProofState {
  /** Resolves the pending request; null without one. */
  answer: ((proven: boolean) => void) | null;
  /** Shows the dialog. Resolves to false if the user closes it. */
  requestProof: () => Promise<boolean>;
  settle: (proven: boolean) => void;
}

export const proofStore = createStore<ProofState>((set, get) => ({
  answer: null,
  requestProof: () =>
    new Promise((resolve) => {
      get().answer?.(false);
      set({ answer: resolve });
    }),
  settle: (proven) => {
    get().answer?.(proven);
    set({ answer: null });
  },
}));

/** Thrown if the user declines to give the proof. */
export class ProofDeclined extends Error {}

/** Runs an action that may need a fresh proof; if so, asks for it and runs it again. */
export async function withProof<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'proof_required') throw error;
  }
  if (!(await proofStore.getState().requestProof())) throw new ProofDeclined();
  return action();
}
