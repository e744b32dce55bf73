/** A text in another language: with the same things to fill in, in whatever order. */
type Sentence<E extends string> = E extends `${string}{{${infer First}}}${infer Rest}`
  ? Sentence<Rest> & `${string}{{${First}}}${string}`
  : string;

/** A room's words in another language: none is missing, none too many, and what is filled in is the same. */
export type Words<E> = { readonly [K in keyof E]: E[K] extends string ? Sentence<E[K]> : Words<E[K]> };
