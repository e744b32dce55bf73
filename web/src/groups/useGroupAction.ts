import { useAction } from '../ui/useAction.ts';
import { toast } from '../ui/toasts.ts';
import { groupKeys } from '../chat/context/groupQueries.ts';
import { useGroupFailureWords } from '../chat/groupCalls/useGroupFailureWords.ts';

export interface GroupActionOptions<Input, Result> {
  /** Title of a failure. */
  failure: string;
  /** Returns the notice of success. */
  done?: (result: Result, input: Input) => string;
  /** Runs after success, before the group is refetched. Closes a dialog. */
  onDone?: (result: Result) => void;
}

/** An action of the user on a group, which reports its outcome and refetches the group. */
export function useGroupAction<Input = void, Result = unknown>(
  id: string,
  action: (input: Input) => Promise<Result>,
  { failure, done, onDone }: GroupActionOptions<Input, Result>,
) {
  const words = useGroupFailureWords();
  return useAction(action, {
    invalidates: [groupKeys.one(id)],
    failure: (error) => ({ title: failure, description: words(error) }),
    onDone: (result, input) => {
      if (done) toast({ kind: 'success', title: done(result, input) });
      onDone?.(result);
    },
  });
}
