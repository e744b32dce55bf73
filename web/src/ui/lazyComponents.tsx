import { lazy, useCallback, useEffect, useEffectEvent, useReducer, useState, type ComponentType } from 'react';
import { ErrorState } from './ErrorState.tsx';
import { toast } from './toasts.ts';
import { useTexts, withTexts } from '../i18n/texts.ts';

export type Load<Props> = () => Promise<ComponentType<Props>>;

interface MissingProps<Props> {
  props: Props;
  /** Retries loading. */
  retry: () => Promise<void>;
}

/**
 * Returns the loaded component, or a placeholder until it loads: React and the router cache a failure permanently,
 * which would break the whole page.
 */
async function loadOrReplace<Props extends object>(
  load: Load<Props>,
  Missing: ComponentType<MissingProps<Props>>,
): Promise<ComponentType<Props>> {
  const loadWithTexts = () => withTexts(load());
  let here: ComponentType<Props> | undefined;
  function InItsPlace(props: Props) {
    const [, draw] = useReducer((times: number) => times + 1, 0);
    const retry = useCallback(async () => {
      here ??= await loadWithTexts();
      draw();
    }, []);
    const Here = here;
    return Here ? <Here {...props} /> : <Missing props={props} retry={retry} />;
  }
  return loadWithTexts().catch(() => InItsPlace);
}

/** Wraps code that loads when it is first shown, and shows `Missing` in its place if that fails. */
const lazyOr = <Props extends object>(load: Load<Props>, Missing: ComponentType<MissingProps<Props>>) =>
  lazy(async () => ({ default: await loadOrReplace(load, Missing) }));

/** Retries when it is shown, and after reconnecting. */
function useRetry(retry: () => Promise<void>, onFailed: () => void = () => undefined): void {
  const failed = useEffectEvent(onFailed);
  useEffect(() => {
    const retryQuietly = () => void retry().catch(() => failed());
    retryQuietly();
    addEventListener('online', retryQuietly);
    return () => removeEventListener('online', retryQuietly);
  }, [retry]);
}

/** Wraps an optional part of a screen: if it fails to load, shows nothing, or `Instead`. */
export function lazyOptional<Props extends object>(
  load: Load<Props>,
  Instead: ComponentType<Props> = () => null,
): ComponentType<Props> {
  function Missing({ props, retry }: MissingProps<Props>) {
    useRetry(retry);
    return <Instead {...props} />;
  }
  return lazyOr(load, Missing);
}

function LoadFailure({ retry }: { retry: () => Promise<void> }) {
  const { t } = useTexts();
  const [isRetrying, setIsRetrying] = useState(true);
  const failed = () => setIsRetrying(false);
  useRetry(retry, failed);
  return (
    <ErrorState
      className="flex-1"
      title={t('errors.network')}
      retrying={isRetrying}
      onRetry={() => {
        setIsRetrying(true);
        void retry().catch(failed);
      }}
    />
  );
}

/** Wraps an essential part of a screen: if it fails to load, shows an error in its place. */
export const lazyComponent = <Props extends object>(load: Load<Props>): ComponentType<Props> =>
  lazyOr(load, LoadFailure);

/** Wraps a router screen, which shows an error like `lazyComponent` if it fails to load. */
export function lazyScreen(load: Load<object>): () => Promise<{ Component: ComponentType }> {
  return async () => ({ Component: await loadOrReplace(load, LoadFailure) });
}

/** Wraps something that opens above a screen. */
export interface LazyOverlay {
  <Props extends { onClose: () => void }>(load: Load<Props>): ComponentType<Props>;
  /** @param close closes what has no `onClose` */
  <Props extends object>(load: Load<Props>, close: (props: Props) => void): ComponentType<Props>;
}

/** Closes an overlay with its `onClose`. */
export const closeItself = <Props extends object>(props: Props): void =>
  (props as { onClose?: () => void }).onClose?.();

/** Wraps an overlay that is not preloaded: if it fails to load, shows a toast and closes it. */
export const lazyOverlay: LazyOverlay = <Props extends object>(load: Load<Props>, close = closeItself<Props>) => {
  function Missing({ props, retry }: MissingProps<Props>) {
    const { t } = useTexts();
    useRetry(retry, () => {
      close(props);
      toast({ kind: 'error', title: t('errors.network') });
    });
    return null;
  }
  return lazyOr(load, Missing);
};
