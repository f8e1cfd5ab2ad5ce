PAGES = ()
