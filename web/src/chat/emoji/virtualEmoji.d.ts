declare module 'virtual:emoji' {
  /** Made from `emojibase-data` while the app is built (vitePlugins/emoji.ts). */
  const emoji: readonly unknown[];
  export default emoji;
}

declare module 'virtual:emoji-german' {
  /** Made from `emojibase-data` while the app is built (vitePlugins/emoji.ts). */
  const emoji: readonly unknown[];
  export default emoji;
}
