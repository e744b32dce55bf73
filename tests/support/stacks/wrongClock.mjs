// Preload (`node --import`): the clock of this process is off by NOLO_TEST_CLOCK_OFF_MS, as a machine's may be. Timers
// and performance.now() count from the start of a process and stay correct.
const offMs = Number(process.env['NOLO_TEST_CLOCK_OFF_MS'] ?? 0);
const RightDate = Date;

globalThis.Date = new Proxy(RightDate, {
  construct: (target, words, type) =>
    Reflect.construct(target, words.length === 0 ? [RightDate.now() + offMs] : words, type),
  apply: () => new RightDate(RightDate.now() + offMs).toString(),
  get: (target, name) => (name === 'now' ? () => RightDate.now() + offMs : Reflect.get(target, name)),
});
