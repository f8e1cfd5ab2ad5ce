"""Pages about tracked domains. What they show is read by the features; here it is put into words and shapes."""
