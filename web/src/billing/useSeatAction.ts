import { toast } from '../ui/toasts.ts';
import { useAction } from '../ui/useAction.ts';
import { planQueryKeys } from './billingQueries.ts';
import { useTexts } from '../i18n/texts.ts';
import { billingTexts } from './billingTexts.ts';

/** Action on seats, which reports its result: `done` is the text of its success, `failed` the title of its failure. */
export function useSeatAction<Input = void>(
  action: (input: Input) => Promise<unknown>,
  done: string | ((input: Input) => string),
  failed?: string,
) {
  const { t } = useTexts(billingTexts);
  return useAction(action, {
    invalidates: planQueryKeys,
    failure: failed ?? t('billing:teamPage.changeFailed'),
    onDone: (_, input) => toast({ kind: 'success', title: typeof done === 'string' ? done : done(input) }),
  });
}
