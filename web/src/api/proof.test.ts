import { ApiError } from '../api/request.ts';
import { ProofDeclined, proofStore, withProof } from './proof.ts';

const refused = () => new ApiError(403, { code: 'proof_required' }, 'refused');

/** Creates an action that the server refuses until the session is proven. */
function guarded() {
  const state = { tries: 0, proven: false };
  const action = async () => {
    state.tries += 1;
    if (!state.proven) throw refused();
    return 'done';
  };
  return { state, action };
}

test('asks for proof if the server requires it, and then continues', async () => {
  const { state, action } = guarded();
  const doing = withProof(action);
  await Promise.resolve();
  expect(proofStore.getState().answer).not.toBeNull();
  state.proven = true;
  proofStore.getState().settle(true);
  expect(await doing).toBe('done');
  expect([state.tries, proofStore.getState().answer]).toEqual([2, null]);
});

test('does nothing if the person does not confirm, and asks nobody if no proof is required', async () => {
  const { state, action } = guarded();
  const doing = withProof(action);
  await Promise.resolve();
  proofStore.getState().settle(false);
  await expect(doing).rejects.toBeInstanceOf(ProofDeclined);
  expect(state.tries).toBe(1);
  const other = new ApiError(409, { code: 'last_way_in' }, 'no');
  await expect(withProof(() => Promise.reject(other))).rejects.toBe(other);
  expect(proofStore.getState().answer).toBeNull();
});
