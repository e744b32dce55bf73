const bars = new Set<HTMLElement>();
let sizes: ResizeObserver | undefined;

function announce(): void {
  // One that stands elsewhere, as the door's buttons do on wide screens, takes nothing of the edge.
  const atEdge = [...bars].map((bar) => bar.getBoundingClientRect()).filter(({ bottom }) => bottom >= innerHeight - 1);
  const room = Math.max(0, ...atEdge.map(({ top }) => Math.ceil(innerHeight - top)));
  document.documentElement.style.setProperty('--nolo-bottom-bars', `${room}px`);
}

/**
 * The ref of a bar at the lower edge in which one does what comes next: `--nolo-bottom-bars` says how much of the window such
 * bars take, and what floats above that edge, as toasts do, stays clear of them.
 */
export function bottomBar(bar: HTMLElement | null): (() => void) | undefined {
  if (!bar) return undefined;
  sizes ??= new ResizeObserver(announce);
  bars.add(bar);
  sizes.observe(bar);
  return () => {
    bars.delete(bar);
    sizes?.unobserve(bar);
    announce();
  };
}
