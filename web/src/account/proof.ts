import { createStore } from 'zustand/vanilla';
import { ApiError } from '../api/request.ts';

/* Fresh proof (decision 38): the server refuses with `proof_required` what could take an account over. The person is then
   asked in place, and what they were doing goes on. */

interface ProofState {
  /** Answers the one who asks; null while nobody does. */
  answer: ((proven: boolean) => void) | null;
  /** Shows the dialog; false where the person closes it. */
  ask: () => Promise<boolean>;
  settle: (proven: boolean) => void;
}

export const proofStore = createStore<ProofState>((set, get) => ({
  answer: null,
  ask: () =>
    new Promise((resolve) => {
      get().answer?.(false);
      set({ answer: resolve });
    }),
  settle: (proven) => {
    get().answer?.(proven);
    set({ answer: null });
  },
}));

/** The person was asked to show that they are the one, and did not. */
export class ProofDeclined extends Error {}

/** Does what may take fresh proof; where it does, asks for it and does it again. */
export async function withProof<T>(deed: () => Promise<T>): Promise<T> {
  try {
    return await deed();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'proof_required') throw error;
  }
  if (!(await proofStore.getState().ask())) throw new ProofDeclined();
  return deed();
}
