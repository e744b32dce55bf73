/** Returns the task's result, or undefined if it takes longer than `ms` milliseconds. */
export async function withTimeout<T>(ms: number, task: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  return Promise.race([task, late]).finally(() => clearTimeout(timer));
}
