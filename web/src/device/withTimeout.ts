/** Answers as the task does, or with undefined where that takes longer than so many milliseconds. */
export async function withTimeout<T>(ms: number, task: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  return Promise.race([task, late]).finally(() => clearTimeout(timer));
}
