/** Text in another language, with the same placeholders in any order. */
type Sentence<E extends string> = E extends `${string}{{${infer First}}}${infer Rest}`
  ? Sentence<Rest> & `${string}{{${First}}}${string}`
  : string;

/** Texts of a room in another language: the same keys, with the same placeholders. */
export type TranslatedCatalogue<E> = {
  readonly [K in keyof E]: E[K] extends string ? Sentence<E[K]> : TranslatedCatalogue<E[K]>;
};
