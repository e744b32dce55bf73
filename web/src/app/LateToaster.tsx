import { useEffect, useState, type ComponentType } from 'react';
import { useStore } from 'zustand';
import { toasts } from '../ui/toasts.ts';
import { runWhenIdle } from '../ui/scheduler.ts';

const load = async () => (await import('../ui/Toaster.tsx')).Toaster;

/** Loads the toaster after the first screen; if that fails, retries with the next toast. */
export function LateToaster() {
  const latest = useStore(toasts, (state) => state.toasts[0]?.id);
  const [Here, setHere] = useState<ComponentType>();
  useEffect(() => {
    if (Here) return;
    const bring = () =>
      void load().then(
        (Toaster) => setHere(() => Toaster),
        () => undefined,
      );
    if (latest === undefined) return runWhenIdle(bring);
    bring();
  }, [latest, Here]);
  return Here && <Here />;
}
