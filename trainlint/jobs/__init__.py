"""What a job is started with: launch lines, environment variables, configurations, versions, containers, deprecated APIs."""
