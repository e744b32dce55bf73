import { createStore } from 'zustand/vanilla';

/** How much of the window bars at its lower edge take, in CSS pixels. */
export const bottomBars = createStore<{ height: number }>(() => ({ height: 0 }));

const bars = new Set<HTMLElement>();
let sizes: ResizeObserver | undefined;

function measure(): void {
  // One that stands elsewhere, as the door's buttons do on wide screens, takes nothing of the edge.
  const atEdge = [...bars].map((bar) => bar.getBoundingClientRect()).filter(({ bottom }) => bottom >= innerHeight - 1);
  bottomBars.setState({ height: Math.max(0, ...atEdge.map(({ top }) => Math.ceil(innerHeight - top))) });
}

/** The ref of a bar at the lower edge in which one does what comes next: what floats there, as toasts do, stays clear of it. */
export function bottomBar(bar: HTMLElement | null): (() => void) | undefined {
  if (!bar) return undefined;
  // Told after each layout, so that measuring makes none.
  sizes ??= new ResizeObserver(measure);
  bars.add(bar);
  sizes.observe(bar);
  return () => {
    bars.delete(bar);
    sizes?.unobserve(bar);
    requestAnimationFrame(measure);
  };
}
