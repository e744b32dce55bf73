declare module 'virtual:visionRuntime' {
  /** Starts the library's WebAssembly. */
  const startRuntime: (module?: object) => Promise<unknown>;
  export default startRuntime;
  /** Where the program of it lies. */
  export const wasmAddress: string;
}
