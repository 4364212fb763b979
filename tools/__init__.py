"""What production never runs: launcher, servers, the CRM sandbox, the simulation, mutants, benchmarks, pictures."""
