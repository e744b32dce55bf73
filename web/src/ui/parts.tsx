import type { ComponentType } from 'react';
import { lazy, useCallback, useEffect, useEffectEvent, useReducer, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorState } from './ErrorState.tsx';
import { toast } from './toasts.ts';

type Load<Props> = () => Promise<ComponentType<Props>>;

interface MissingProps<Props> {
  props: Props;
  /** Asks for it once more. */
  again: () => Promise<void>;
}

/**
 * What has come, or else what stands in its place until it does: React and the router keep a failure for good, and take
 * the whole page down for it.
 */
async function comeOrMissing<Props extends object>(
  load: Load<Props>,
  Missing: ComponentType<MissingProps<Props>>,
): Promise<ComponentType<Props>> {
  let here: ComponentType<Props> | undefined;
  function InItsPlace(props: Props) {
    const [, draw] = useReducer((times: number) => times + 1, 0);
    const again = useCallback(async () => {
      here ??= await load();
      draw();
    }, []);
    const Here = here;
    return Here ? <Here {...props} /> : <Missing props={props} again={again} />;
  }
  return load().catch(() => InItsPlace);
}

/** Asks again when it is shown, and when there is a line again. */
function useAskingAgain(again: () => Promise<void>, onFailed: () => void = () => undefined): void {
  const failed = useEffectEvent(onFailed);
  useEffect(() => {
    const ask = () => void again().catch(() => failed());
    ask();
    addEventListener('online', ask);
    return () => removeEventListener('online', ask);
  }, [again]);
}

/** A part that a screen can do without: where it does not come, there is nothing in its place, or `Instead`. */
export function optional<Props extends object>(
  load: Load<Props>,
  Instead: ComponentType<Props> = () => null,
): ComponentType<Props> {
  function Missing({ props, again }: MissingProps<Props>) {
    useAskingAgain(again);
    return <Instead {...props} />;
  }
  return lazy(async () => ({ default: await comeOrMissing(load, Missing) }));
}

function Said({ again }: { again: () => Promise<void> }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(true);
  const failed = () => setAsking(false);
  useAskingAgain(again, failed);
  return (
    <ErrorState
      className="flex-1"
      title={t('errors.network')}
      retrying={asking}
      onRetry={() => {
        setAsking(true);
        void again().catch(failed);
      }}
    />
  );
}

/** A part that one came for: where it does not come, that is said in its place. */
export function part<Props extends object>(load: Load<Props>): ComponentType<Props> {
  return lazy(async () => ({ default: await comeOrMissing(load, Said) }));
}

/** A screen of the router, which is said like a part where it does not come. */
export function screen(load: Load<object>): () => Promise<{ Component: ComponentType }> {
  return async () => ({ Component: await comeOrMissing(load, Said) });
}

/**
 * What is opened over a screen and not fetched before: where it does not come, a toast says so and it is closed again.
 *
 * @param close What closes it, where `onClose` does not.
 */
export function asked<Props extends { onClose: () => void }>(load: Load<Props>): ComponentType<Props>;
export function asked<Props extends object>(load: Load<Props>, close: (props: Props) => void): ComponentType<Props>;
export function asked<Props extends object>(
  load: Load<Props>,
  close = (props: Props) => (props as unknown as { onClose: () => void }).onClose(),
): ComponentType<Props> {
  function Missing({ props, again }: MissingProps<Props>) {
    const { t } = useTranslation();
    useAskingAgain(again, () => {
      close(props);
      toast({ kind: 'error', title: t('errors.network') });
    });
    return null;
  }
  return lazy(async () => ({ default: await comeOrMissing(load, Missing) }));
}
