/** Listens to events until the returned function is called. */
export function listen<Heard extends Event = Event>(
  target: EventTarget,
  names: readonly string[],
  listener: (event: Heard) => void,
  options: AddEventListenerOptions = {},
): () => void {
  for (const name of names) target.addEventListener(name, listener as EventListener, options);
  return () => {
    for (const name of names) target.removeEventListener(name, listener as EventListener, options);
  };
}
