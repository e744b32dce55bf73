import { createStore, type StoreApi } from 'zustand/vanilla';

/*
 * Specification constants: one toast at a time, 5 s, and a dismissed one is kept for
 *    1,000,000 ms before it is forgotten. Swipe and hotkey live in ui/Toaster.tsx.
 */
const toastLimit = 1;
export const toastDurationMs = 5_000;
export const toastRemoveDelayMs = 1_000_000;

export type ToastKind = 'info' | 'success' | 'error';

export interface ToastRequest {
  title: string;
  description?: string;
  kind?: ToastKind;
  durationMs?: number;
  /** True if nothing may replace it while shown: any further failure has the cause that it reports. */
  last?: boolean;
  action?: { label: string; onSelect: () => void };
}

interface ToastEntry extends ToastRequest {
  id: number;
  kind: ToastKind;
  open: boolean;
}

interface ToastState {
  toasts: ToastEntry[];
  show: (request: ToastRequest) => number;
  dismiss: (id?: number) => void;
}

export function createToasts(): StoreApi<ToastState> {
  let lastId = 0;
  return createStore<ToastState>((set, get) => ({
    toasts: [],
    show(request) {
      const standing = get().toasts.find(({ open, last }) => open && last === true);
      if (standing) return standing.id;
      lastId += 1;
      const entry: ToastEntry = { ...request, id: lastId, kind: request.kind ?? 'info', open: true };
      set({ toasts: [entry, ...get().toasts].slice(0, toastLimit) });
      return entry.id;
    },
    dismiss(id) {
      const leaving = get().toasts.filter((entry) => entry.open && (id === undefined || entry.id === id));
      if (leaving.length === 0) return;
      set({ toasts: get().toasts.map((entry) => (leaving.includes(entry) ? { ...entry, open: false } : entry)) });
      const ids = new Set(leaving.map((entry) => entry.id));
      setTimeout(() => {
        set({ toasts: get().toasts.filter((entry) => !ids.has(entry.id)) });
      }, toastRemoveDelayMs);
    },
  }));
}

export const toasts = createToasts();

/** Shows a toast in place of the previous one. Its text is already translated. */
export function toast(request: ToastRequest): number {
  return toasts.getState().show(request);
}
