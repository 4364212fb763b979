/** A thenable that answers at once, as React's lazy takes it: what is already loaded renders without suspending. */
export function onTheSpot<Module>(module: Module): Promise<Module> {
  const answered = {
    // biome-ignore lint/suspicious/noThenProperty: being a thenable is its purpose.
    then: (use: (module: Module) => unknown) => use(module),
  };
  return answered as unknown as Promise<Module>;
}
