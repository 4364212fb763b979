"""What drills, attacks and simulation share."""
