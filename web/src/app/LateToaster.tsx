import { useEffect, useState, type ComponentType } from 'react';
import { useStore } from 'zustand';
import { fetchWhenIdle } from '../ui/fetchWhenIdle.ts';
import { toasts } from '../ui/toasts.ts';

const load = async () => (await import('../ui/Toaster.tsx')).Toaster;

/** What shows toasts comes once the screen stands, or with the first of them; where it could not, with the next. */
export function LateToaster() {
  const latest = useStore(toasts, (state) => state.toasts[0]?.id);
  const [Here, setHere] = useState<ComponentType>();
  useEffect(() => fetchWhenIdle(load), []);
  useEffect(() => {
    if (latest === undefined || Here) return;
    load().then(
      (Toaster) => setHere(() => Toaster),
      () => undefined,
    );
  }, [latest, Here]);
  return Here && <Here />;
}
